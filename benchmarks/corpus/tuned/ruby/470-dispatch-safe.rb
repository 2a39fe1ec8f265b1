class ActionsController < ApplicationController
  before_action :authenticate_user!

  OPERATIONS = %w[archive restore publish].freeze

  def run
    operation = params[:operation]
    return head :bad_request unless OPERATIONS.include?(operation)

    document = current_user.documents.find(params[:id])
    result = document.public_send(operation)
    render json: { result: result }
  end
end
